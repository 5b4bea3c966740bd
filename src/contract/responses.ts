/**
 * The types of the API's response bodies. The presenters of the routes create them, and the console
 * reads them. Types only: the schemas in `responses/` define most of them, and also appear in the
 * OpenAPI document. Times are ISO 8601 in UTC.
 */

import type { ConnectedAssistant } from './responses/people.ts';
import type {
  TaskQuestion,
  TaskStatusResponse,
  TaskProgress,
  TaskStatus,
  PreviewedPage,
} from './responses/tasks.ts';
import type { Membership } from './membership.ts';

export type * from './responses/approvals.ts';
export type * from './responses/batches.ts';
export type * from './responses/events.ts';
export type * from './responses/people.ts';
export type * from './responses/reviews.ts';
export type * from './responses/sites.ts';
export type * from './responses/taskDetails.ts';
export type * from './responses/tasks.ts';
export type * from './responses/versions.ts';

/** An event of a task's stream. */
export type TaskStreamEvent =
  | { event: 'status'; data: { at: string; status: TaskStatus } }
  | { event: 'progress'; data: { at: string } & TaskProgress }
  | { event: 'page'; data: { at: string } & PreviewedPage }
  | { event: 'question'; data: { at: string } & Omit<TaskQuestion, 'since'> }
  /** null: nobody answered in time. */
  | { event: 'answer'; data: { at: string; questionId: string; answer: string | null } }
  | { event: 'done'; data: TaskStatusResponse };

/** The person who is signed in. */
export interface SignedInAccount {
  user: { userId: string; name: string; email: string };
  organizations: Membership[];
}

/** Whether a person wants e-mails about own tasks and batches. */
export interface EventMailSetting {
  areWanted: boolean;
}

/** The ways to sign in on this server. */
export interface SignInOptions {
  signUp: 'open' | 'invite' | 'closed';
  oidc: boolean;
  mail: boolean;
}

/** A key that a person's session created. */
export interface SessionApiKey {
  apiKey: string;
  organizationId: string;
  expiresAt: string;
}

/** The purpose of a one-time link. */
export interface OneTimeLink {
  purpose: 'sign-in' | 'first-owner' | 'first-organization';
  email?: string;
  needsPassword?: boolean;
}

/** A view-only link, as members of the organization see it. */
export interface SharedLink {
  shareId: string;
  title: string | null;
  /** The site's name. */
  site: string | null;
  sharedBy: string | null;
  createdAt: string;
  expiresAt: string;
}

/** A program that asks a person for permission to act for them. */
export interface ConsentRequest {
  /** As the program calls itself. */
  name: string;
  /** The host that gets access; null for a program on the person's computer. */
  host: string | null;
  /** The host of the document that describes it; null for a program that registered. */
  publisher: string | null;
}

/** One of a person's assistants, with its organization. A person may be in several. */
export type PersonalAssistant = ConnectedAssistant & {
  organization: { organizationId: string; name: string };
};
