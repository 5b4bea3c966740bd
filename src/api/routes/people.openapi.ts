import { roles } from '../../contract/roles.ts';
import { answer, body } from '../openapi/bodies.ts';
import { wrongBody, wrongQuery } from '../openapi/commonErrors.ts';
import { jsonSchemaOf, queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Errors, Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleMemberId } from '../openapi/parameters.ts';
import {
  arrayOf,
  booleanSchema,
  countSchema,
  enumSchema,
  nextCursor,
  objectSchema,
  orNull,
  schemaRef,
  textSchema,
  time,
  urlSchema,
  uuidSchema,
} from '../openapi/schemas.ts';
import {
  addressCursor,
  invitationBody,
  organizationChangeBody,
  peopleQuery,
  removalQuery,
  roleBody,
} from './people.schema.ts';

const roleSchema = enumSchema(roles);

const organization = {
  organizationId: '0b9a3f0e-6d0c-4f5b-9a51-2f4a7a0f5d11',
  name: 'Acme',
  createdAt: '2026-11-21T07:00:00.000Z',
  tokensPerMonth: 5_000_000,
};
const member = {
  memberId: exampleMemberId,
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

const lastOwner: Errors[number] = {
  'The last owner must stay: make somebody else an owner first':
    'An organization has an owner always.',
};
const wrongLimit = wrongQuery('limit must be less than or equal to 100');

const readOrganization: Operation = {
  method: 'get',
  path: '/organization',
  operationId: 'readOrganization',
  summary: "Read the key's organization",
  answers: { 200: answer('The organization.', 'Organization', { organization }) },
};

const changeOrganization: Operation = {
  method: 'patch',
  path: '/organization',
  operationId: 'changeOrganization',
  least: 'owner',
  summary: 'Rename the organization, or limit its tokens',
  description: 'For owners.',
  body: body('OrganizationChange', {
    name: { name: 'Acme' },
    limit: { tokensPerMonth: 5_000_000 },
  }),
  answers: readOrganization.answers,
  errors: { 400: wrongBody('body must contain at least one of [name, tokensPerMonth]') },
};

const listMembers: Operation = {
  method: 'get',
  path: '/members',
  operationId: 'listMembers',
  summary: "List the organization's members",
  description: 'By their e-mail addresses.',
  parameters: queryParametersOf(peopleQuery),
  answers: {
    200: answer('A part of the list.', 'MemberList', {
      members: { members: [member], nextCursor: addressCursor.at(member.email) },
    }),
  },
  errors: { 400: wrongLimit },
};

const changeMember: Operation = {
  method: 'patch',
  path: '/members/{memberId}',
  operationId: 'changeMember',
  least: 'admin',
  summary: "Change a member's role",
  description: [
    "For admins. Nobody gives or takes a role above the key's own. API keys that the person made stay, unless",
    '`endKeys` says otherwise.',
  ].join('\n'),
  body: body('MemberChange', {
    role: { role: 'admin' },
    endKeys: { role: 'viewer', endKeys: true },
  }),
  answers: { 200: answer('The member.', 'Member', { member }) },
  errors: {
    400: wrongBody('role must be one of [viewer, member, admin, owner]'),
    409: lastOwner,
  },
};

const removeMember: Operation = {
  method: 'delete',
  path: '/members/{memberId}',
  operationId: 'removeMember',
  summary: 'Remove a member',
  description: [
    "For admins, up to the key's own role, and for the member. The console stops working for it at once. API keys that",
    'the person made stay, unless `endKeys` says otherwise.',
  ].join('\n'),
  parameters: queryParametersOf(removalQuery),
  answers: { 204: { description: 'The person is no member any more.' } },
  errors: {
    400: wrongQuery('endKeys must be a boolean'),
    403: {
      'Forbidden: members below admin may remove only themselves': "The key's role is member.",
    },
    409: lastOwner,
  },
};

const listInvitations: Operation = {
  method: 'get',
  path: '/invitations',
  operationId: 'listInvitations',
  least: 'admin',
  summary: 'List the open invitations',
  description: "For admins: those with roles up to the key's own, by their e-mail addresses.",
  parameters: queryParametersOf(peopleQuery),
  answers: {
    200: answer('A part of the list.', 'InvitationList', {
      invitations: { invitations: [invitation], nextCursor: null },
    }),
  },
  errors: { 400: wrongLimit },
};

const invite: Operation = {
  method: 'post',
  path: '/invitations',
  operationId: 'createInvitation',
  least: 'admin',
  summary: 'Invite a person',
  description: [
    "For admins, up to the key's own role. The link works for seven days, for the person of this address alone. It is",
    'mailed where mail is configured. Another invitation of the same address ends; its role too must be up to the own.',
  ].join('\n'),
  body: body('InvitationRequest', {
    member: { email: 'grace@example.com', role: 'member' },
  }),
  answers: {
    201: answer('The invitation.', 'InvitationCreated', {
      invitation: { ...invitation, sent: false },
    }),
  },
  errors: {
    400: wrongBody('email must be a valid email'),
    409: { 'grace@example.com is a member already': 'There is nothing to invite to.' },
  },
};

const withdraw: Operation = {
  method: 'delete',
  path: '/invitations/{invitationId}',
  operationId: 'deleteInvitation',
  least: 'admin',
  summary: 'Withdraw an invitation',
  description: "For admins, up to the key's own role.",
  answers: { 204: { description: 'Its link does not work any more.' } },
};

const invitationFields = {
  invitationId: uuidSchema(),
  url: urlSchema('What the person opens. Give it to nobody else.'),
  email: textSchema('In lower case.'),
  role: roleSchema,
  expiresAt: time,
};

export const people: RoutesDescription = {
  tag: { name: 'People', description: 'Your organization, its members, and who is invited.' },
  schemas: {
    OrganizationChange: jsonSchemaOf(organizationChangeBody),
    MemberChange: jsonSchemaOf(roleBody),
    InvitationRequest: jsonSchemaOf(invitationBody),
    Organization: objectSchema({
      organizationId: uuidSchema(),
      name: textSchema('Its name.'),
      createdAt: time,
      tokensPerMonth: orNull(
        countSchema('Its own limit of tokens of language models per month. Null: none.'),
      ),
    }),
    MemberList: objectSchema({
      members: arrayOf(schemaRef('Member'), 'In the order of their addresses.'),
      nextCursor,
    }),
    Member: objectSchema({
      memberId: uuidSchema(),
      userId: uuidSchema(),
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
    InvitationCreated: objectSchema({
      ...invitationFields,
      sent: booleanSchema('Whether the mail server took the mail.'),
    }),
  },
  operations: [
    readOrganization,
    changeOrganization,
    listMembers,
    changeMember,
    removeMember,
    listInvitations,
    invite,
    withdraw,
  ],
};
