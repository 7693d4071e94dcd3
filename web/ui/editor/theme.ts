// Gives editors the colors of the page, by its CSS variables, so that light, dark and forced colors need no second theme.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const underlined = (color: string, line: string) => ({
  // Replaces the pictures of CodeMirror, which are data: URLs.
  backgroundImage: 'none',
  textDecoration: `underline ${line} ${color}`,
  textDecorationSkipInk: 'none',
  textUnderlineOffset: '3px',
});

// Visible in forced colors only, which remove backgrounds.
const framed = { outline: '1px solid transparent', outlineOffset: '-1px' };

const marker = (sign: string, color: string) => ({ content: `"${sign}"`, color });

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--card)', color: 'var(--ink)', height: '100%' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.85rem', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.5rem 0' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-gutters': {
    backgroundColor: 'var(--card)',
    color: 'var(--soft)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    ...framed,
    backgroundColor: 'color-mix(in srgb, var(--accent) 9%, transparent)',
  },
  '.cm-lintRange-error': underlined('var(--bad)', 'wavy'),
  '.cm-lintRange-warning': underlined('var(--warn)', 'wavy'),
  '.cm-lintRange-info': underlined('var(--soft)', 'dotted'),
  '.cm-lintRange-active': {
    ...framed,
    backgroundColor: 'color-mix(in srgb, var(--accent) 20%, transparent)',
  },
  '.cm-gutter-lint': { width: '1.3em' },
  '.cm-lint-marker': { width: 'auto', height: 'auto', textAlign: 'center', padding: '0' },
  '.cm-lint-marker-error:before': marker('✖', 'var(--bad)'),
  '.cm-lint-marker-warning:before': marker('▲', 'var(--warn)'),
  '.cm-lint-marker-info:before': marker('●', 'var(--soft)'),
  '.cm-lint-marker-error, .cm-lint-marker-warning, .cm-lint-marker-info': { content: 'normal' },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--bad)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--card)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
  },
  '.cm-tooltip': { maxWidth: 'min(32rem, 90vw)', zIndex: '5' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--soft)' },
  '.cm-tooltip-autocomplete > ul > li': { minHeight: '24px', paddingTop: '0.15rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    ...framed,
    backgroundColor: 'var(--accent)',
    color: 'var(--card)',
  },
  '.cm-textfield, .cm-button': {
    minHeight: '24px',
    backgroundColor: 'var(--card)',
    backgroundImage: 'none',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
  },
  '.cm-panel.cm-search [name=close]': { minWidth: '24px', minHeight: '24px', color: 'var(--ink)' },
  '.cm-panel.cm-search label': { display: 'inline-block', minHeight: '24px' },
  '.cm-searchMatch': {
    ...framed,
    backgroundColor: 'color-mix(in srgb, var(--warn) 30%, transparent)',
  },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-matchingBracket *': { color: 'var(--ink)' },
});

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
  { tag: [tags.keyword, tags.operator], color: 'var(--bad)' },
  { tag: [tags.variableName, tags.definition(tags.variableName)], color: 'var(--accent)' },
  { tag: [tags.comment, tags.punctuation], color: 'var(--soft)' },
  { tag: tags.comment, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

export const pageTheme: Extension = [theme, syntaxHighlighting(colors)];
