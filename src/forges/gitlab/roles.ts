import type { GitLabProject } from './schemas.ts';

/** The numbers of roles (https://docs.gitlab.com/api/access_requests/#valid-access-levels). */
export const ROLES = {
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const;

/** The role of the credential: the higher one of the project's and its group's. */
export function roleIn({ permissions }: GitLabProject): number | undefined {
  const levels = [permissions?.project_access, permissions?.group_access].flatMap((access) =>
    access ? [access.access_level] : [],
  );
  return levels.length === 0 ? undefined : Math.max(...levels);
}

/** The name of a role, as GitLab shows it. */
export function describeRole(role: number | undefined): string {
  const [name] = Object.entries(ROLES).find(([, level]) => level === role) ?? [];
  return name === undefined ? `${role}` : name[0]!.toUpperCase() + name.slice(1);
}
