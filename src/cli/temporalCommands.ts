import Joi from 'joi';
import type { Command } from './command.ts';

const setup: Command<object> = {
  name: 'temporal setup',
  summary: "make Temporal's namespace and search attributes where they are missing",
  options: Joi.object({}),
  run: ({ setUpTemporal }) => setUpTemporal(),
};

export const temporalCommands = [setup];
