import { createModelAgents } from '../../../src/agents/model/modelAgents.ts';
import type { LanguageModel } from '../../../src/agents/agentPorts.ts';
import { modelTools } from '../../../src/agents/model/tools/modelTools.ts';
import type { ThreadPool } from '../../../src/threads/threadPool.ts';
import { type Script, startModelServer } from '../../helpers/modelServer.ts';

const MODEL = 'openai-compatible/scripted';

/** A scripted model behind a server of this machine, asked as every language model is. */
export async function openScripted(
  script: Script,
  threads: ThreadPool,
): Promise<{ agent: LanguageModel; close: () => Promise<void> }> {
  const server = await startModelServer(script);
  const settings = { keys: {}, baseUrl: server.url('openai-compatible') };
  const agents = await createModelAgents(settings, { tools: modelTools, threads });
  return { agent: agents.of(MODEL), close: () => server.close() };
}
