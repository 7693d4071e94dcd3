// Parses Markdown into tokens. Tags of HTML stay text.
import MarkdownIt from 'markdown-it';

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** A token of markdown-it. */
export type Token = ReturnType<typeof parser.parse>[number];

/** The definitions of links in a text. */
export type Definitions = Parameters<typeof parser.parse>[1];

/** Returns the tokens of a text. `definitions` collects those of links, for later calls. */
export const parseMarkdown = (text: string, definitions: Definitions): Token[] =>
  parser.parse(text, definitions);
