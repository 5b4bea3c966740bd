import { quoted } from '../../../../text/text.ts';
import { knownGroups } from '../groups/changeGroup.ts';
import { isImage, isLink } from '../links/pageLinks.ts';
import { elementOf, idOf, type Page } from '../openPage.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';

const NAMED = 5;

/**
 * What an id names, and which tools take it: for a message to who gave it where another kind of id
 * is wanted. Undefined if the page has nothing of this id.
 */
export function meaningOf(page: Page, id: string): string | undefined {
  const group = /^(gn?\d+)(?:\.\d+\*?)?$/.exec(id)?.[1];
  if (group !== undefined) return meaningOfGroup(page, group);
  const element = elementOf(page, id);
  if (!element) return undefined;
  const places = findSlotPlaces(page);
  const own = places.filter((place) => place.element === element).map(({ slot }) => slot.id);
  const base = idOf(page, element);
  const text = places.find(({ slot }) => slot.id === id);
  const linked = text?.gaps ? ', and set_link with words makes a link in it' : '';
  if (text) return `${id} is a text: set_texts writes it${linked}`;
  const texts = own.length > 0 ? `; its text is ${own.slice(0, NAMED).join(', ')}` : '';
  const around = places.find(({ parts }) => parts?.includes(element));
  if (around) {
    const part = around.parts!.indexOf(element) + 1;
    const leads = isLink(element) ? ', and set_link changes where it leads' : '';
    return `${base} is part <${part}> of the text ${around.slot.id}: set_texts writes it by that id${leads}${texts}`;
  }
  if (isImage(element)) return `${base} is an image: set_image changes it${texts}`;
  if (isLink(element)) return `${base} is a link: set_link changes where it leads${texts}`;
  return own.length > 0 ? `${base} has the text ${own.slice(0, NAMED).join(', ')}` : undefined;
}

function meaningOfGroup(page: Page, id: string): string | undefined {
  const found = knownGroups(page).find((group) => group.id === id);
  if (!found) return undefined;
  const { members } = found.group.slotGroup;
  const texts = members[0]?.slice(0, NAMED).join(', ') ?? '';
  return `${quoted(id)} is a group: add_items, remove_items and move_items change it; the texts of its first member are ${texts}`;
}
