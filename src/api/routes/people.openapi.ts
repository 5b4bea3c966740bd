import { roles } from '../../contract/roles.ts';
import { jsonSchemaOf, queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Errors, Operation, Parameter, RoutesDescription } from '../openapi/operation.ts';
import { arrayOf, objectSchema, schemaRef, textSchema, timeSchema } from '../openapi/schemas.ts';
import {
  cursorAfter,
  invitationBody,
  nameBody,
  peopleQuery,
  removalQuery,
  roleBody,
} from './people.schema.ts';

const id = { type: 'string', format: 'uuid' };
const roleSchema = { type: 'string', enum: roles };
const nextCursor = {
  type: ['string', 'null'],
  description: '`cursor` of the next request; null at the end.',
};
const time = timeSchema('ISO 8601 with milliseconds, UTC.');

const parameter = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  description,
  schema: { type: 'string' },
  example: '5e2b1f64-9c0d-4a55-8a43-3a5c2d1f7b90',
});
const memberId = parameter('memberId', 'The membership, a UUID with hyphens.');
const invitationId = parameter('invitationId', 'The invitation, a UUID with hyphens.');

const organization = {
  organizationId: '0b9a3f0e-6d0c-4f5b-9a51-2f4a7a0f5d11',
  name: 'Acme',
  createdAt: '2026-11-21T07:00:00.000Z',
};
const member = {
  memberId: '5e2b1f64-9c0d-4a55-8a43-3a5c2d1f7b90',
  userId: '7d0c8f2a-4a0b-4f8e-8a0e-0d7c5a1b2c3d',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'admin',
  joinedAt: '2026-11-21T07:00:00.000Z',
};
const invitation = {
  invitationId: '3f1d2c4b-5a69-4788-96a5-b4c3d2e1f001',
  url: 'http://localhost:3000/invitations/3f1d2c4b-5a69-4788-96a5-b4c3d2e1f001',
  email: 'grace@example.com',
  role: 'member',
  expiresAt: '2026-11-28T07:00:00.000Z',
};

const asks = (least: string) => ({
  [`This key is a member's; it needs ${least}`]: `The key's role is below ${least}.`,
});
const noMember: Errors[number] = {
  'Member not found': 'There is none with this id in the organization.',
};
const lastOwner: Errors[number] = {
  'The last owner must stay: make somebody else an owner first':
    'An organization has an owner always.',
};
const wrongQuery = {
  400: {
    'Invalid query: limit must be less than or equal to 100':
      'Every parameter that is wrong is named.',
  },
};
const wrongBody = (text: string) => ({ 400: { [text]: 'Every field that is wrong is named.' } });

const readOrganization: Operation = {
  method: 'get',
  path: '/organization',
  operationId: 'readOrganization',
  limit: 'read',
  summary: "Read the key's organization",
  answers: {
    200: {
      description: 'The organization.',
      schema: schemaRef('Organization'),
      examples: { organization: { value: organization } },
    },
  },
};

const renameOrganization: Operation = {
  method: 'patch',
  path: '/organization',
  operationId: 'renameOrganization',
  limit: 'create',
  summary: 'Rename the organization',
  description: 'For owners.',
  body: {
    required: true,
    schema: jsonSchemaOf(nameBody),
    examples: { name: { value: { name: 'Acme' } } },
  },
  answers: { ...readOrganization.answers },
  errors: { ...wrongBody('Invalid request body: name is required'), 403: asks('owner') },
};

const listMembers: Operation = {
  method: 'get',
  path: '/members',
  operationId: 'listMembers',
  limit: 'read',
  summary: "List the organization's members",
  description: 'By their e-mail addresses.',
  parameters: queryParametersOf(peopleQuery),
  answers: {
    200: {
      description: 'A part of the list.',
      schema: schemaRef('MemberList'),
      examples: {
        members: { value: { members: [member], nextCursor: cursorAfter(member.email) } },
      },
    },
  },
  errors: wrongQuery,
};

const roleExamples = {
  role: { value: { role: 'admin' } },
  endKeys: { value: { role: 'viewer', endKeys: true } },
};

const changeMember: Operation = {
  method: 'patch',
  path: '/members/{memberId}',
  operationId: 'changeMember',
  limit: 'create',
  summary: "Change a member's role",
  description: [
    "For admins. Nobody gives or takes a role above the key's own. API keys that the person made stay, unless",
    '`endKeys` says otherwise.',
  ].join('\n'),
  parameters: [memberId],
  body: { required: true, schema: jsonSchemaOf(roleBody), examples: roleExamples },
  answers: {
    200: {
      description: 'The member.',
      schema: schemaRef('Member'),
      examples: { member: { value: member } },
    },
  },
  errors: {
    ...wrongBody('Invalid request body: role must be one of [viewer, member, admin, owner]'),
    403: asks('admin'),
    404: noMember,
    409: lastOwner,
  },
};

const removeMember: Operation = {
  method: 'delete',
  path: '/members/{memberId}',
  operationId: 'removeMember',
  limit: 'create',
  summary: 'Remove a member',
  description: [
    "For admins, up to the key's own role, and for the member. The console stops working for it at once. API keys that",
    'the person made stay, unless `endKeys` says otherwise.',
  ].join('\n'),
  parameters: [memberId, ...queryParametersOf(removalQuery)],
  answers: { 204: { description: 'The person is no member any more.' } },
  errors: {
    400: { 'Invalid query: endKeys must be a boolean': 'Every parameter that is wrong is named.' },
    403: {
      'Forbidden: members below admin may remove only themselves': "The key's role is member.",
    },
    404: noMember,
    409: lastOwner,
  },
};

const listInvitations: Operation = {
  method: 'get',
  path: '/invitations',
  operationId: 'listInvitations',
  limit: 'read',
  summary: 'List the open invitations',
  description: "For admins: those with roles up to the key's own, by their e-mail addresses.",
  parameters: queryParametersOf(peopleQuery),
  answers: {
    200: {
      description: 'A part of the list.',
      schema: schemaRef('InvitationList'),
      examples: { invitations: { value: { invitations: [invitation], nextCursor: null } } },
    },
  },
  errors: { ...wrongQuery, 403: asks('admin') },
};

const invite: Operation = {
  method: 'post',
  path: '/invitations',
  operationId: 'createInvitation',
  limit: 'create',
  summary: 'Invite a person',
  description: [
    "For admins, up to the key's own role. The link works for seven days, for the person of this address alone. It is",
    'mailed where mail is configured. Another invitation of the same address ends; its role too must be up to the own.',
  ].join('\n'),
  body: {
    required: true,
    schema: jsonSchemaOf(invitationBody),
    examples: { member: { value: { email: 'grace@example.com', role: 'member' } } },
  },
  answers: {
    201: {
      description: 'The invitation.',
      schema: schemaRef('NewInvitation'),
      examples: { invitation: { value: { ...invitation, sent: false } } },
    },
  },
  errors: {
    ...wrongBody('Invalid request body: email must be a valid email'),
    403: asks('admin'),
    409: { 'grace@example.com is a member already': 'There is nothing to invite to.' },
  },
};

const withdraw: Operation = {
  method: 'delete',
  path: '/invitations/{invitationId}',
  operationId: 'deleteInvitation',
  limit: 'create',
  summary: 'Withdraw an invitation',
  description: "For admins, up to the key's own role.",
  parameters: [invitationId],
  answers: { 204: { description: 'Its link does not work any more.' } },
  errors: {
    403: asks('admin'),
    404: { 'Invitation not found: it was used, withdrawn, or is over': 'There is none in force.' },
  },
};

const invitationFields = {
  invitationId: id,
  url: {
    type: 'string',
    format: 'uri',
    description: 'What the person opens. Give it to nobody else.',
  },
  email: textSchema('In lower case.'),
  role: roleSchema,
  expiresAt: time,
};

export const people: RoutesDescription = {
  tag: { name: 'People', description: 'Your organization, its members, and who is invited.' },
  schemas: {
    Organization: objectSchema({
      organizationId: id,
      name: textSchema('Its name.'),
      createdAt: time,
    }),
    MemberList: objectSchema({
      members: arrayOf(schemaRef('Member'), 'In the order of their addresses.'),
      nextCursor,
    }),
    Member: objectSchema({
      memberId: id,
      userId: id,
      name: textSchema('As the person wrote it.'),
      email: textSchema('In lower case.'),
      role: roleSchema,
      joinedAt: time,
    }),
    InvitationList: objectSchema({
      invitations: arrayOf(schemaRef('Invitation'), 'In the order of their addresses.'),
      nextCursor,
    }),
    Invitation: objectSchema(invitationFields),
    NewInvitation: objectSchema({
      ...invitationFields,
      sent: { type: 'boolean', description: 'Whether the mail server took the mail.' },
    }),
  },
  operations: [
    readOrganization,
    renameOrganization,
    listMembers,
    changeMember,
    removeMember,
    listInvitations,
    invite,
    withdraw,
  ],
};
