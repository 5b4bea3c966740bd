import {
  defineSearchAttributeKey as defineKey,
  SearchAttributeType as Type,
} from '@temporalio/common';

/**
 * The search attributes of the workflows of tasks, batches and redeliveries. Temporal lists and
 * counts workflows by them.
 */
export const attributeKeys = {
  organizationId: defineKey('OrganizationId', Type.KEYWORD),
  siteId: defineKey('SiteId', Type.KEYWORD),
  taskType: defineKey('TaskType', Type.KEYWORD),
  taskStatus: defineKey('TaskStatus', Type.KEYWORD),
  publish: defineKey('Publish', Type.BOOL),
  /** Why a task failed. */
  failureKind: defineKey('FailureKind', Type.KEYWORD),
  /** `pending`, `delivered` or `failed`; absent without a callback. */
  callbackStatus: defineKey('CallbackStatus', Type.KEYWORD),
  /** `user:<id>` or `key:<id>`. */
  createdBy: defineKey('CreatedBy', Type.KEYWORD),
  /** The words of the title. */
  titleWords: defineKey('TitleWords', Type.KEYWORD_LIST),
} as const;
