import Joi from 'joi';
import type { OperatorCommand } from './operatorCommand.ts';
import { percentOption } from './commandOptions.ts';

/** Which version of the workers' code gets new tasks. `ramp` is the percentage that it gets. */
interface VersionPromotion {
  build?: string;
  ramp?: number;
}

/** What these commands use. They need Temporal, and no database. */
export interface TemporalDeps {
  /** Creates Temporal's namespace and search attributes if they are missing. */
  setUpTemporal: () => Promise<{ namespace: string }>;
  /** The versions of the workers, and their shares of new tasks. */
  listVersions: () => Promise<object>;
  /** Routes new tasks, or a share of them, to a version. Throws UNAVAILABLE. */
  promoteVersion: (promotion: VersionPromotion) => Promise<object>;
}

const setUpCommand: OperatorCommand<object, TemporalDeps> = {
  name: 'temporal setup',
  summary: 'create the Temporal namespace and search attributes that are missing',
  options: Joi.object({}),
  run: ({ setUpTemporal }) => setUpTemporal(),
};

const listVersionsCommand: OperatorCommand<object, TemporalDeps> = {
  name: 'worker list',
  summary: 'show the worker versions and which one is current',
  options: Joi.object({}),
  run: ({ listVersions }) => listVersions(),
};

const promoteVersionCommand: OperatorCommand<VersionPromotion, TemporalDeps> = {
  name: 'worker promote',
  summary: 'make a worker version the current one as soon as one of its workers polls',
  options: Joi.object({
    build: Joi.string()
      .hex()
      .description(
        'the build id of the version (default: that of this code; for 0%, that of the ramping version)',
      )
      .example('id'),
    ramp: percentOption
      .description('route only this share of new tasks to the version')
      .example('10%'),
  }),
  run: ({ promoteVersion }, promotion) => promoteVersion(promotion),
};

export const temporalCommands = [
  setUpCommand,
  listVersionsCommand,
  promoteVersionCommand,
] as const satisfies readonly OperatorCommand<never, TemporalDeps>[];
