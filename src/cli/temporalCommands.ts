import Joi from 'joi';
import type { OperatorCommand } from './operatorCommand.ts';
import { percentOption } from './commandOptions.ts';

interface VersionPromotion {
  build?: string;
  ramp?: number;
}

export interface TemporalDeps {
  /** Makes Temporal's namespace and search attributes if they are missing. */
  setUpTemporal: () => Promise<{ namespace: string }>;
  /** The versions of the workers, and their shares of new tasks. */
  listVersions: () => Promise<object>;
  /** Sends new tasks, or a share of them, to a version. Throws UNAVAILABLE. */
  promoteVersion: (promotion: VersionPromotion) => Promise<object>;
}

const setUpCommand: OperatorCommand<object, TemporalDeps> = {
  name: 'temporal setup',
  summary: "make Temporal's namespace and search attributes where they are missing",
  options: Joi.object({}),
  run: ({ setUpTemporal }) => setUpTemporal(),
};

const listVersionsCommand: OperatorCommand<object, TemporalDeps> = {
  name: 'worker list',
  summary: 'show the versions of the workers, and which one gets the tasks',
  options: Joi.object({}),
  run: ({ listVersions }) => listVersions(),
};

const promoteVersionCommand: OperatorCommand<VersionPromotion, TemporalDeps> = {
  name: 'worker promote',
  summary: 'give a version of the workers the tasks, as soon as one of them asks for work',
  options: Joi.object({
    build: Joi.string()
      .hex()
      .description('its build id (default: of the code here; for 0%, of the one with a share)')
      .example('id'),
    ramp: percentOption.description('only this share of the tasks').example('10%'),
  }),
  run: ({ promoteVersion }, promotion) => promoteVersion(promotion),
};

export const temporalCommands = [
  setUpCommand,
  listVersionsCommand,
  promoteVersionCommand,
] as const satisfies readonly OperatorCommand<never, TemporalDeps>[];
