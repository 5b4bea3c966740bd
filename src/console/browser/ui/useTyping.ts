import { useLayoutEffect } from 'preact/hooks';
import { listen } from '../listen.ts';
import { createStore, useStore } from '../store.ts';

const typingFields = 'input, select, textarea, [contenteditable]';
const isDialogOpen = () => document.querySelector('dialog[open], :popover-open') !== null;
const isTypingNow = () => isDialogOpen() || document.activeElement?.matches(typingFields) === true;

const typing = createStore(false);
/** How many components use this hook. The document is watched while there are any. */
let listeners = 0;
let stopWatching: (() => void) | undefined;

/**
 * Whether a field of the console has the focus, or a dialog is open. Customers' pages are hidden
 * then, because they could take the focus, and with it what is typed.
 */
export function useTyping(): boolean {
  useLayoutEffect(() => {
    if (listeners++ === 0) stopWatching = watchTyping();
    return () => void (--listeners === 0 && stopWatching?.());
  }, []);
  return useStore(typing);
}

function watchTyping(): () => void {
  const updateTyping = () => void (isTypingNow() !== typing.get() && typing.set(isTypingNow()));
  // When the focus moves from one field to the next, no element has it for a moment.
  const updateLater = () => void setTimeout(updateTyping);
  // In a window behind other windows, a dialog opens without any event.
  const dialogObserver = new MutationObserver(() =>
    isDialogOpen() ? updateTyping() : updateLater(),
  );
  dialogObserver.observe(document, { subtree: true, childList: true, attributeFilter: ['open'] });
  const stopListening = listen(['focusin', 'toggle'], updateTyping, { capture: true });
  const stopListeningLater = listen(['focusout'], updateLater, { capture: true });
  updateTyping();
  return () => {
    dialogObserver.disconnect();
    stopListening();
    stopListeningLater();
  };
}
