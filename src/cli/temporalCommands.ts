import Joi from 'joi';
import type { Command } from './command.ts';

export interface TemporalDeps {
  /** Makes Temporal's namespace and search attributes where they are missing. */
  setUpTemporal: () => Promise<{ namespace: string }>;
}

const setup: Command<object, TemporalDeps> = {
  name: 'temporal setup',
  summary: "make Temporal's namespace and search attributes where they are missing",
  options: Joi.object({}),
  run: ({ setUpTemporal }) => setUpTemporal(),
};

export const temporalCommands = [setup];
