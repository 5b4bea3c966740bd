/** What the lines of an outline say besides the texts of the page. */
export const outlineTexts = {
  head: (lineCount: number, facts: string, missingElements: string[]) =>
    `${lineCount} lines; ${facts}${missingElements.length === 0 ? '' : `; missing in the head: ${missingElements.join(', ')}`}`,
  hidden: (count: number) => `${count} texts that other pages share are hidden: chrome shows them`,
  member: (number: number, memberCount: number, lineRange: string) =>
    `[${number} of ${memberCount}: ${lineRange}]`,
  continuation: (count: number, line: number) => `${count} more: from ${line}`,
};
