import type { Migration } from 'kysely';
import * as initial from './001_initial.ts';

/**
 * Every migration by its name; they run in the names' order. Released ones are never edited, only
 * followed.
 */
export const migrations: Record<string, Migration> = { '001_initial': initial };
