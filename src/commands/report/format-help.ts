import { formats as exportFormats } from '../../exports/registry.ts'
import { formats, runFormats } from '../../reports/registry.ts'

const formatsOf = {
  report: { ...formats, ...runFormats },
  compare: formats,
  export: exportFormats,
}

/** Returns the list of formats that `--help` of a command ends with. */
export function formatHelp(command: keyof typeof formatsOf): string {
  const all: [name: string, format: { summary: string }][] = Object.entries(formatsOf[command])
  const longest = Math.max(10, ...all.map(([name]) => name.length))
  return `\nFormats:\n${all.map(([name, { summary }]) => `  ${name.padEnd(longest)} ${summary}`).join('\n')}`
}
