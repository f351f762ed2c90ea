import { isOwnFile, ownCacheFile, writeOwnFile } from './own-cache.ts'

/** Whether the user allowed a digest before. The answer is a file in the user's own folder, which nobody else may write. */
export function isRemembered(key: string): boolean {
  const file = ownCacheFile(key)
  return file !== undefined && isOwnFile(file)
}

/** Remembers that the user allowed a digest; `lines` say what was allowed, for a person who looks. Does nothing without a folder for it. */
export function remember(key: string, lines: string): void {
  const file = ownCacheFile(key)
  if (file !== undefined) writeOwnFile(file, lines)
}
