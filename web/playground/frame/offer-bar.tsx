// Shows the offer to undo in the footer, where it covers nothing.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/elements.js';
import type { UndoOffers } from '../state/page-state.js';

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA)$/.test(target.tagName));

/** Binds Ctrl+Z. In a text field it undoes what was typed there, and in a dialog nothing. */
export function bindUndo(offers: UndoOffers): void {
  document.addEventListener('keydown', (event) => {
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey);
    if (!isUndo || event.shiftKey || event.altKey || event.defaultPrevented) return;
    if (isTextField(event.target) || document.querySelector('dialog:modal')) return;
    event.preventDefault();
    (offers.shown.peek()?.undo ?? (() => offers.undo()))();
  });
}

/** The offer, with the buttons Undo and Dismiss. It does not end while they have the focus. */
export function OfferBar({ offers }: { offers: UndoOffers }) {
  const bar = useRef<HTMLDivElement>(null);
  /** What had the focus before the buttons. */
  const before = useRef<EventTarget | null>(null);
  const offer = offers.shown.value;
  const hadFocus = bar.current?.contains(document.activeElement) ?? false;
  // The focus would fall out of the page with the button that has it.
  useLayoutEffect(() => {
    if (!hadFocus || document.activeElement !== document.body) return;
    if (before.current instanceof HTMLElement) before.current.focus();
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
  }, [offer]);
  if (!offer) return null;
  const entered = ({ relatedTarget }: FocusEvent) => {
    const isInside = relatedTarget instanceof Node && bar.current?.contains(relatedTarget);
    if (!isInside) before.current = relatedTarget;
    offers.hold(true);
  };
  return (
    <div
      ref={bar}
      id="offers"
      class="offer"
      role="region"
      aria-label="Undo"
      onFocusIn={entered}
      onFocusOut={() => offers.hold(false)}
    >
      <span class="ellipsis">{offer.sentence}</span>
      <Button label="Undo" title="Ctrl+Z" action={offer.undo} />
      <Button label="Dismiss" action={() => offers.end()} />
    </div>
  );
}
