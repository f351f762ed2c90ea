/** Folders of version control tools. What stands in one can name programs, which the tool then starts for whoever looks. */
const folders = /^(?:\.(?:git|hg|svn|bzr|jj|sl)|_darcs)$/

/** Names that FAT and NTFS give them beside their own. */
const shortNames = /^(?:git|hg|svn|bzr)~\d+$/

/**
 * Whether some part of a path is a version control tool's folder to a file system of any system: whatever the case, with
 * dots, spaces or a stream behind it (Windows), with characters in it that are not shown (macOS).
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

/** Why such a path is refused. */
export const versionControlReason =
  'belongs to a version control tool, which could start programs that it names'
