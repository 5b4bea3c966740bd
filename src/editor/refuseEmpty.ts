import { DomainError } from '../errors.ts';
import type { EditableText, TextEdits } from '../sites/formats/page.ts';

/** Texts that must not be emptied, by their names for people. */
const needed: Partial<Record<EditableText['role'], string>> = {
  title: 'page title',
  heading: 'heading',
  link: "link's text",
  button: "button's text",
};

/** @throws DomainError INVALID_INPUT if an edit empties a text that the page needs */
export function refuseEmpty(texts: EditableText[], edits: TextEdits): void {
  for (const { id, role, level, texts: before } of texts) {
    const edited = edits[id];
    const name = level === 1 ? 'headline' : needed[role];
    if (name === undefined || edited === undefined || !isEmpty(edited) || isEmpty(before)) continue;
    throw new DomainError('INVALID_INPUT', `The ${name} is empty. Type one, then save.`);
  }
}

const isEmpty = (texts: string[]) => texts.join('').trim() === '';
