import { cpus } from 'node:os'

/** `8 x AMD EPYC 7B13`: what times of a live run depend on. */
export function machineName(): string {
  const all = cpus()
  const kinds = [...new Set(all.map(({ model }) => model.trim()))]
  return `${all.length} x ${kinds.join(', ') || 'processor'}`
}
