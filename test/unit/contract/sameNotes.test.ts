import { expect } from 'chai';
import { ownShareNote } from '../../../activities/batches/measureRows.ts';
import { noteIdOf } from '../../../src/contract/notes/noteIds.ts';
import {
  matchingNoteIds,
  noteSameness,
  sharedNoteText,
} from '../../../src/contract/notes/sameNotes.ts';
import { createPageNote, type Note } from '../../../src/contract/task.ts';

const unusedNote = (page: string, sentence: string): Note =>
  createPageNote(page, 'unused', sentence);

describe('noteSameness(note)', () => {
  const ratings = [
    unusedNote('/a', 'values of the context were not used: "4.8 (20)" (rating); "2001" (since)'),
    unusedNote('/b', 'values of the context were not used: "4.9", "30" (rating); "2002" (since)'),
  ];
  const phone = unusedNote('/c', 'values of the context were not used: "030 1" (phone)');

  it('is one for values of the same columns that were not used, whatever the values are', () => {
    expect(noteSameness(ratings[0]!)).to.equal(noteSameness(ratings[1]!));
    expect(noteSameness(phone)).not.to.equal(noteSameness(ratings[0]!));
    expect(matchingNoteIds([...ratings, phone], [noteIdOf(ratings[0]!)])).to.deep.equal(
      ratings.map(noteIdOf),
    );
  });

  it('is one for the shares of own words, whatever the shares are', () => {
    const shares = [ownShareNote('/a', 0.04), ownShareNote('/b', 0.05)];
    expect(noteSameness(shares[0]!)).to.equal(noteSameness(shares[1]!));
    expect(sharedNoteText(shares)).to.match(/^… % of the words are unique to this page\./);
    expect(sharedNoteText([shares[0]!])).to.match(/^4 % of the words are unique to this page\./);
  });

  it('keeps the values of facts and of cells with errors apart', () => {
    const junk = (value: string) =>
      unusedNote('/a', `a value of the context was left out: "${value}" is an error (phone)`);
    expect(noteSameness(junk('#REF!'))).not.to.equal(noteSameness(junk('#DIV/0!')));
    const price = (value: string) =>
      createPageNote('/a', 'price', `a price: "${value}" (packages)`);
    expect(noteSameness(price('$1'))).not.to.equal(noteSameness(price('$2')));
  });

  it('gives the values in the shared text only if all notes have the same', () => {
    expect(sharedNoteText(ratings)).to.equal(
      'values of the context were not used: … (rating); … (since)',
    );
    expect(sharedNoteText([phone, phone])).to.equal(
      'values of the context were not used: "030 1" (phone)',
    );
  });
});
