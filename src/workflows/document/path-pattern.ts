import { escapeRegExp } from '../../text/escape-reg-exp.ts'

/** Whether a path matches a pattern, in which `*` stands for any text without `/`. */
export function matchesPath(pattern: string, path: string): boolean {
  const parts = pattern.split('*').map(escapeRegExp)
  return new RegExp(`^${parts.join('[^/]*')}$`).test(path)
}
