import { DomainError } from '../../errors.ts';
import type { Api } from '../api.ts';
import * as schemas from './schemas.ts';
import type { GitHubPull } from './schemas.ts';

/** https://docs.github.com/graphql/reference/mutations#markpullrequestreadyforreview */
const query =
  'mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }';

/**
 * Takes a pull request's draft mark away, which only GraphQL can.
 * @throws DomainError FORGE_REFUSED, UNAVAILABLE: GraphQL tells of errors with status 200
 */
export async function markReady(
  api: Api,
  { apiUrl, pull }: { apiUrl: string; pull: GitHubPull },
  signal: AbortSignal,
): Promise<void> {
  const request = {
    what: `mark pull request #${pull.number} as ready`,
    method: 'POST' as const,
    // of GitHub Enterprise Server: /api/graphql beside /api/v3
    path: apiUrl.endsWith('/v3') ? '/../graphql' : '/graphql',
    body: { query, variables: { id: pull.node_id } },
    answer: schemas.graphql,
  };
  const { errors: [error] = [] } = await api.write(request, signal);
  if (!error) return;
  const isLimited = error.type === 'RATE_LIMITED';
  throw new DomainError(
    isLimited ? 'UNAVAILABLE' : 'FORGE_REFUSED',
    `GitHub refused to ${request.what}: ${error.message.slice(0, 200)}`,
    { retryable: isLimited },
  );
}
