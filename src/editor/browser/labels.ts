// The names of texts, by their roles, and of the groups in which texts are listed.

import type { EditableText } from '../protocol.ts';

const roleNames: Record<EditableText['role'], string> = {
  title: 'Page title',
  description: 'Description for search engines',
  'social-title': 'Title when shared',
  'social-description': 'Description when shared',
  heading: 'Heading',
  paragraph: 'Paragraph',
  'list-item': 'List item',
  'table-cell': 'Table cell',
  link: 'Link',
  button: 'Button',
  'image-alt': 'Image description',
  caption: 'Caption',
  'structured-data': 'Structured data',
  'svg-text': 'Text in a drawing',
  other: 'Other text',
  'link-target': 'Link target',
  'image-file': 'Image file',
};

export const labelOf = ({ role, level, jsonPath }: EditableText) =>
  role === 'heading' && level
    ? `Heading ${level}`
    : jsonPath
      ? `Data: ${jsonPath}`
      : roleNames[role];

const textGroups: [string, EditableText['role'][]][] = [
  ['Search and sharing', ['title', 'description', 'social-title', 'social-description']],
  ['Links', ['link-target']],
  ['Images', ['image-file', 'image-alt']],
  ['Structured data', ['structured-data']],
];

/** The group of the texts that can be edited on the page. */
export const ON_PAGE = 'On the page';
export const NOT_ON_PAGE = 'Only editable here';

/** The group of a text that can't be edited on the page. */
export const groupOf = ({ role }: EditableText): string =>
  textGroups.find(([, roles]) => roles.includes(role))?.[0] ?? NOT_ON_PAGE;

export const groupNames = [...textGroups.map(([name]) => name), NOT_ON_PAGE, ON_PAGE];
