import type { PageFile } from '../../../contract/site.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { listed } from './findOrSuggest.ts';

/**
 * A tool whose answer names the hosts that its links lead to and that are new to the site. The
 * commit notes them, which a model would not see.
 */
export const tellingHosts = (tool: Tool): Tool => ({
  ...tool,
  run: async (context: ToolContext, args: { slug: string }) => {
    const { site } = context;
    const page = site.find(args.slug);
    const before = page && (await site.source(page.path));
    const answer = await tool.run(context, args as never);
    return answer + (page && before !== undefined ? await hostsOf(context, page, before) : '');
  },
});

async function hostsOf({ site }: ToolContext, page: PageFile, before: string): Promise<string> {
  if ((await site.source(page.path)) === before) return '';
  const hosts = await site.newHosts(page, before);
  return hosts.length === 0
    ? ''
    : `\nNew to the site, which people get a note on: ${listed(hosts)}`;
}
