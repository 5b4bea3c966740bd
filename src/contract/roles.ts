/** Roles. Each may do everything that the roles before it may do. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;

export type Role = (typeof roles)[number];

/** Whether `role` is at least the role `least` (specification: Authentication). */
export function hasRole(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** Why a key may not do something: its role, and the least one that may. */
export const needsRole = (role: Role, least: Role) =>
  `This key is ${/^[ao]/.test(role) ? 'an' : 'a'} ${role}'s; it needs ${least}`;
