// The questions that the editor asks before it continues.

import { GoesLiveToo } from '../../browser/alsoPublished.tsx';
import type { PublishCheckResponse } from '../../contract/responses.ts';
import { confirmAction } from './dialogs.tsx';

/** Asks before unsaved edits are discarded. */
export const mayDiscard = () =>
  confirmAction({
    title: 'Discard what you typed?',
    text: <p>The page returns to its last saved version. You can’t undo this.</p>,
    submit: 'Discard',
  });

/** Asks before pages of other tasks go live too. */
export const mayGoLive = async (check: PublishCheckResponse) =>
  check.tasks.length === 0 ||
  confirmAction({
    title: 'Put other pages live too?',
    text: (
      <>
        <p>This page is built on pages that are not live yet.</p>
        <GoesLiveToo check={check} />
      </>
    ),
    submit: 'Publish',
  });
