import { useLayoutEffect } from 'preact/hooks';
import { listen } from '../listen.ts';
import { createStore, useStore } from '../store.ts';

const fields = 'input, select, textarea, [contenteditable]';
const isDialogOpen = () => document.querySelector('dialog[open], :popover-open') !== null;
const isTypingNow = () => isDialogOpen() || document.activeElement?.matches(fields) === true;

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
    if (listeners++ === 0) stopWatching = watch();
    return () => void (--listeners === 0 && stopWatching?.());
  }, []);
  return useStore(typing);
}

function watch(): () => void {
  const look = () => void (isTypingNow() !== typing.get() && typing.set(isTypingNow()));
  // On its way from one field to the next, the focus is nowhere for a moment.
  const lookLater = () => void setTimeout(look);
  // In a window behind others, a dialog opens without any event.
  const dialogs = new MutationObserver(() => (isDialogOpen() ? look() : lookLater()));
  dialogs.observe(document, { subtree: true, childList: true, attributeFilter: ['open'] });
  const stop = listen(['focusin', 'toggle'], look, { capture: true });
  const stopLater = listen(['focusout'], lookLater, { capture: true });
  look();
  return () => {
    dialogs.disconnect();
    stop();
    stopLater();
  };
}
