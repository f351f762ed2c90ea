/** Folders of version control tools. Their files can name programs that the tool then starts. */
const folders = /^(?:\.(?:git|hg|svn|bzr|jj|sl)|_darcs)$/

/** Short names that FAT and NTFS give them. */
const shortNames = /^(?:git|hg|svn|bzr)~\d+$/

/**
 * Whether a part of a path names a version control tool's folder on some file system: in any case, with trailing dots, spaces or
 * a stream (Windows), or with invisible characters (macOS).
 */
export function isVersionControlPath(path: string): boolean {
  return path.split('/').some((part) => {
    const name = part
      .normalize('NFKC')
      .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
      .toLowerCase()
      .replace(/:.*$/s, '')
      .replace(/[. ]+$/, '')
    return folders.test(name) || shortNames.test(name)
  })
}

/** The reason for refusing such a path, as recorded in steps. */
export const versionControlReason =
  'belongs to a version control tool, which could start programs that it names'
