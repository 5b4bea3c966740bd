/** A dated name: `_posts/2024-01-02-launch.md`, `blog/2024-01-02-launch/index.md`. */
const datedName = /(?:^|\/)(\d{4}-\d{2}-\d{2})-[^/]+$/;
/** The date at the start of a slug's last name. */
export const dateInName = (slug: string): string | undefined => datedName.exec(slug)?.[1];
