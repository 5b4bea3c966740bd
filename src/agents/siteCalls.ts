import { pageAt } from './tools/arguments.ts';
import { replaceText, setTexts } from './tools/editing.ts';
import { setFact } from './tools/setFact.ts';
import { addMembers, listGroups, removeMembers, swapMembers } from './tools/grouping.ts';
import { listLinks, setAlt, setLink } from './tools/linking.ts';
import { addMenuEntry, listMenu, removeMenuEntry } from './tools/menu.ts';
import { readSlots, search } from './tools/readPages.ts';
import { moveSection, removeSection } from './tools/sections.ts';
import { createPage, deletePage, movePage, readTemplate } from './tools/structure.ts';
import type { ToolContext } from './tools/tool.ts';

interface OnPage {
  slug: string;
}

/** The questions of the embedded rules about a site. */
export const readings = {
  list_groups: listGroups,
  list_images: ({ site }: ToolContext, { slug }: OnPage) => site.query(pageAt(site, slug), 'images'),
  list_links: listLinks,
  list_menu: (context: ToolContext, _: object) => listMenu(context),
  list_sections: ({ site }: ToolContext, { slug }: OnPage) =>
    site.query(pageAt(site, slug), 'sections'),
  read_slots: readSlots,
  read_template: readTemplate,
  search,
};

/** The edits of the embedded rules. Tasks' histories have these names. */
export const edits = {
  add_items: addMembers,
  add_menu_entry: addMenuEntry,
  create_page: createPage,
  delete_page: deletePage,
  move_items: swapMembers,
  move_page: movePage,
  move_section: moveSection,
  remove_items: removeMembers,
  remove_menu_entry: removeMenuEntry,
  remove_section: removeSection,
  replace_text: replaceText,
  set_alt: setAlt,
  set_fact: setFact,
  set_link: setLink,
  set_texts: setTexts,
};

type Readings = typeof readings;
type Edits = typeof edits;

/** A question about the site, with its arguments. */
export type Reading = {
  [Name in keyof Readings]: { name: Name; arguments: Parameters<Readings[Name]>[1] };
}[keyof Readings];
export type Answer<Name extends keyof Readings> = Awaited<ReturnType<Readings[Name]>>;

/** A change of the site, with its arguments. */
export type Edit = {
  [Name in keyof Edits]: { name: Name; arguments: Parameters<Edits[Name]>[1] };
}[keyof Edits];

/** Whether a call recorded in a history is an edit that still exists. */
export const isEdit = (call: { name: string }): call is Edit => Object.hasOwn(edits, call.name);

/**
 * Answers a question about the site.
 * @throws DomainError INVALID_INPUT, NOT_FOUND if the site lacks what the question names
 */
export const answerTo = (
  context: ToolContext,
  { name, arguments: args }: Reading,
): Promise<unknown> => readings[name](context, args as never);

/** Makes a change. @throws DomainError if it can't be made */
export const makeEdit = (context: ToolContext, { name, arguments: args }: Edit): Promise<unknown> =>
  edits[name](context, args as never);
