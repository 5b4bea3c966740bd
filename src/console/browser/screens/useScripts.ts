import type { RefObject } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';
import { listen } from '../listen.ts';
import { createStore, useStore } from '../store.ts';

/** Id of the preview whose scripts run. Scripts run in one preview at a time, at first in none. */
const running = createStore<string | undefined>(undefined);
const stop = () => running.set(undefined);

export interface Scripts {
  areRunning: boolean;
  run: () => void;
  stop: () => void;
}

/**
 * Whether the scripts of a customer's page run. Such a page can take the focus at any time. So its
 * scripts stop when the focus or the pointer goes elsewhere in the console, or somebody types
 * there.
 * @param pane the element with the page's frame and its buttons
 */
export function useScripts(pane: RefObject<HTMLElement | null>, isTyping: boolean): Scripts {
  const id = useId();
  const areRunning = useStore(running) === id && !isTyping;
  useLayoutEffect(() => (areRunning ? stopElsewhere(pane) : undefined), [areRunning]);
  const stopOwn = () => void (running.get() === id && stop());
  useLayoutEffect(() => (isTyping ? stopOwn() : stopOwn), [isTyping]);
  return { areRunning, run: () => running.set(id), stop };
}

/** @returns a function that stops listening */
function stopElsewhere({ current: pane }: RefObject<HTMLElement | null>): () => void {
  const onEvent = ({ target }: Event) => {
    if (!(target instanceof Node && pane?.contains(target))) stop();
  };
  return listen(['focusin', 'pointerdown'], onEvent, { capture: true });
}
