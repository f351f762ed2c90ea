/** The style sheets and modules of the page, in `page/`, in the order in which they are joined. */
export const pageAssets = {
  style: ['base.css', 'tables.css', 'figures.css', 'trials.css'],
  script: [
    'values.mjs',
    'dom.mjs',
    'tables.mjs',
    'trials.mjs',
    'story.mjs',
    'diff.mjs',
    'pair-contents.mjs',
    'pair.mjs',
    'links.mjs',
  ],
} as const

/** Joins modules to one: those before a module hold what it imports, so imports and exports are left out. */
export function joinModules(modules: readonly string[]): string {
  return modules
    .map((text) =>
      text.replace(/^import [^']*'[^']*'\n/gm, '').replace(/^export (?=const|function|let)/gm, ''),
    )
    .join('\n')
}
