import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { listen } from '../../listen.ts';

/** What the keys of a review do. */
export interface ReviewActions {
  move: (step: 1 | -1) => void;
  fine: () => void;
  leaveOut: () => void;
  edit: () => void;
  enlarge: () => void;
  help: () => void;
}

const keyRows: [key: string, action: keyof ReviewActions, words: string][] = [
  ['J', 'move', 'The next page'],
  ['K', 'move', 'The previous page'],
  ['A', 'fine', 'Mark it as fine, or take that back'],
  ['X', 'leaveOut', 'Leave it out, or take that back'],
  ['E', 'edit', 'Edit the page'],
  ['Space', 'enlarge', 'Enlarge it, or show the pages that are alike'],
  ['?', 'help', 'Show these keys'],
];

const typingFields = 'input, textarea, select, [contenteditable]';
/** Elements that react to the space bar themselves. */
const pressable = 'button, a, summary, input';

/**
 * Listens to the keys of a review. They do nothing while somebody types, and while a dialog that
 * does not belong to the review is open.
 */
export function useReviewKeys(actions: ReviewActions): void {
  const latestActions = useRef(actions);
  latestActions.current = actions;
  useEffect(
    () => listen(['keydown'], (event) => runKey(event as KeyboardEvent, latestActions.current)),
    [],
  );
}

function runKey(event: KeyboardEvent, actions: ReviewActions): void {
  const target = event.target instanceof Element ? event.target : document.body;
  const foreignDialog = document.querySelector('dialog[open]:not(:has([data-review]))');
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (target.closest(typingFields) || foreignDialog) return;
  const keyActions: Record<string, () => void> = {
    j: () => actions.move(1),
    k: () => actions.move(-1),
    a: actions.fine,
    x: actions.leaveOut,
    e: actions.edit,
    '?': actions.help,
    ' ': actions.enlarge,
  };
  const action = keyActions[event.key.toLowerCase()];
  if (!action || (event.key === ' ' && target.closest(pressable))) return;
  event.preventDefault();
  action();
}

/** Lists the keys. @param canLeaveOut whether pages can be left out */
export const KeyHelp = ({ canLeaveOut, close }: { canLeaveOut: boolean; close: () => void }) => (
  <Dialog title="Keys" onClose={close}>
    <dl class="keys">
      {keyRows
        .filter(([, action]) => canLeaveOut || action !== 'leaveOut')
        .map(([key, , words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
    </dl>
  </Dialog>
);
