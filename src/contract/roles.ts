/** Roles in ascending order. Each role includes the rights of the roles before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;

export type Role = (typeof roles)[number];

/** Whether `role` is at least `requiredRole` (docs/contract.md, section 3.3). */
export function hasRole(role: Role, requiredRole: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(requiredRole);
}

/** The error's text if a key's role is too low: the key's role and the required one. */
export const roleTooLowMessage = (role: Role, requiredRole: Role) =>
  `This key has the role ${role}, but the request needs ${requiredRole}`;
