import type { Migration } from 'kysely';
import * as initial from './001_initial.ts';

/**
 * Migrations by name, run in the order of their names. A released migration never changes; a new
 * one corrects it.
 */
export const migrations: Record<string, Migration> = { '001_initial': initial };
