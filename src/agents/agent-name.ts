/** `PROVIDER:MODEL` of a name with or without a label before it. A model's own name may hold an equals sign, a label no colon. */
export function withoutLabel(name: string): string {
  return name.replace(/^[^:=]*=/, '')
}
