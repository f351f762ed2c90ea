import { formats, runFormats } from '../../reports/registry.ts'

/** Returns the list of formats that `--help` of `bench report` or `bench compare` ends with. */
export function formatHelp(command: 'report' | 'compare'): string {
  const all = command === 'report' ? { ...formats, ...runFormats } : formats
  const lines = Object.entries(all).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  return `\nFormats:\n${lines.join('\n')}`
}
