import type { Threads } from '../../threads/threads.ts';
import type { LanguageModel } from '../port.ts';
import { askTool, type ToolDefinition } from '../tools.ts';
import type { Caller } from './call.ts';
import { writeOrAsk, writePage } from './page/writePage.ts';
import { nextTurn } from './nextTurn.ts';

interface ModelAgentOptions {
  caller: Caller;
  tools: ToolDefinition[];
  threads: Threads;
}

/**
 * Makes an agent of a language model.
 * @param options.tools the tools of the model in prompt tasks
 * @param options.threads read the texts of pages
 */
export function createModelAgent({ caller, tools, threads }: ModelAgentOptions): LanguageModel {
  return {
    generatePage: (job, work) => writePage(caller, job, work, threads),
    writeOrAsk: (job, work) => writeOrAsk(caller, job, work, threads),
    step: (conversation, work) =>
      nextTurn(caller, conversation.mayAsk ? [...tools, askTool] : tools, conversation, work),
  };
}
