// Two people changed a page: shows what each wrote, and lets the person at this editor decide.

import { Modal } from '../../browser/modal.tsx';
import type { EditableText, OpenedPage } from '../protocol.ts';
import { ask } from './ask.tsx';
import { labelOf } from './labels.ts';

interface Pair {
  text: EditableText;
  mine: string[];
  theirs: EditableText | undefined;
}

interface Row {
  label: string;
  mine: string;
  theirs: string | undefined;
}

type Choice = 'mine' | 'theirs' | 'later';

/**
 * Pairs each typed text with the same text of the page as it is now. `theirs` is undefined if the
 * page has no such text any more.
 */
export function compare(typed: [EditableText, string[]][], page: OpenedPage): Pair[] {
  const now = new Map(page.texts.map((text) => [text.id, text]));
  return typed.map(([text, mine]) => {
    const theirs = now.get(text.id);
    const fits = theirs?.role === text.role && theirs.marks.join() === text.marks.join();
    return { text, mine, theirs: fits ? theirs : undefined };
  });
}

const decide = (rows: Row[]) => ask<Choice>((choose) => <Conflict rows={rows} choose={choose} />);

const Conflict = ({ rows, choose }: { rows: Row[]; choose: (choice: Choice) => void }) => (
  <Modal title="This page was changed meanwhile" onClose={() => choose('later')}>
    <p>
      Somebody else saved it after you opened it. Nothing of yours is lost, and nothing of theirs is
      overwritten: choose what goes on.
    </p>
    {rows.map((row, at) => (
      <Compared key={at} {...row} />
    ))}
    <div class="choices">
      <button type="button" onClick={() => choose('later')} autofocus>
        Decide later
      </button>
      <button type="button" onClick={() => choose('theirs')}>
        Take the page as it is now
      </button>
      <button type="button" onClick={() => choose('mine')} class="primary">
        Keep mine on top of it
      </button>
    </div>
  </Modal>
);

const Compared = ({ label, mine, theirs }: Row) => (
  <section class="pair">
    <h3>{label}</h3>
    <Side name="Yours" value={mine} />
    {theirs === undefined ? (
      <p>This text is no longer on the page: copy yours if you need it.</p>
    ) : (
      <Side name="On the page now" value={theirs} />
    )}
  </section>
);

const Side = ({ name, value }: { name: string; value: string }) => (
  <label>
    {name}
    <textarea value={value} readOnly rows={value.length > 400 ? 12 : 2} />
  </label>
);

export const decideTexts = (pairs: Pair[]) =>
  decide(
    pairs.map(({ text, mine, theirs }) => ({
      label: labelOf(text),
      mine: mine.join(''),
      theirs: theirs?.texts.join(''),
    })),
  );

export const decideSource = (mine: string, theirs: string) =>
  decide([{ label: 'Source', mine, theirs }]);
