// Two people changed a page: shows what each wrote, and lets the person at this editor decide.

import { Modal } from '../../browser/modal.tsx';
import type { EditableText, OpenedPage } from '../protocol.ts';
import { askInDialog } from './dialogs.tsx';
import { labelOf } from './labels.ts';

interface ConflictingText {
  text: EditableText;
  mine: string[];
  theirs: EditableText | undefined;
}

interface ConflictRow {
  label: string;
  mine: string;
  theirs: string | undefined;
}

type ConflictChoice = 'mine' | 'theirs' | 'later';

/**
 * Pairs each text that was typed here with the same text of the page as it is now. `theirs` is
 * undefined if the page no longer has such a text, or has it with other inline tags.
 */
export function pairTypedTexts(
  typed: [EditableText, string[]][],
  page: OpenedPage,
): ConflictingText[] {
  const currentTexts = new Map(page.texts.map((text) => [text.id, text]));
  return typed.map(([text, mine]) => {
    const theirs = currentTexts.get(text.id);
    const isSameShape = theirs?.role === text.role && theirs.marks.join() === text.marks.join();
    return { text, mine, theirs: isSameShape ? theirs : undefined };
  });
}

const askForChoice = (rows: ConflictRow[]) =>
  askInDialog<ConflictChoice>((choose) => <ConflictDialog rows={rows} choose={choose} />);

const ConflictDialog = ({
  rows,
  choose,
}: {
  rows: ConflictRow[];
  choose: (choice: ConflictChoice) => void;
}) => (
  <Modal title="This page was changed in the meantime" onClose={() => choose('later')}>
    <p>
      Somebody else saved the page after you opened it. Neither your changes nor theirs are lost.
      Choose how to continue.
    </p>
    {rows.map((row, index) => (
      <ConflictRowView key={index} {...row} />
    ))}
    <div class="choices">
      <button type="button" onClick={() => choose('later')} autofocus>
        Decide later
      </button>
      <button type="button" onClick={() => choose('theirs')}>
        Use the page as it is now
      </button>
      <button type="button" onClick={() => choose('mine')} class="primary">
        Apply my changes to it
      </button>
    </div>
  </Modal>
);

const ConflictRowView = ({ label, mine, theirs }: ConflictRow) => (
  <section class="pair">
    <h3>{label}</h3>
    <TextVersion name="Yours" value={mine} />
    {theirs === undefined ? (
      <p>This text is no longer on the page: copy yours if you need it.</p>
    ) : (
      <TextVersion name="On the page now" value={theirs} />
    )}
  </section>
);

const TextVersion = ({ name, value }: { name: string; value: string }) => (
  <label>
    {name}
    <textarea value={value} readOnly rows={value.length > 400 ? 12 : 2} />
  </label>
);

export const chooseTexts = (pairs: ConflictingText[]) =>
  askForChoice(
    pairs.map(({ text, mine, theirs }) => ({
      label: labelOf(text),
      mine: mine.join(''),
      theirs: theirs?.texts.join(''),
    })),
  );

export const chooseSource = (mine: string, theirs: string) =>
  askForChoice([{ label: 'Source', mine, theirs }]);
