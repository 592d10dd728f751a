/** A file in memory, as the files API has it. */
export interface StoredFile {
  readonly id: string
  readonly filename: string
  readonly purpose: string
  /** Seconds since 1970. */
  readonly createdAt: number
  readonly content: string
}

export interface Files {
  readonly add: (filename: string, purpose: string, content: string) => StoredFile
  readonly get: (id: string) => StoredFile | undefined
  readonly remove: (id: string) => boolean
  /** Newest first. */
  readonly list: () => ReadonlyArray<StoredFile>
}

export const makeFiles = (seconds: () => number): Files => {
  const files = new Map<string, StoredFile>()
  let made = 0
  return {
    add: (filename, purpose, content) => {
      const file = { id: `file-simulated${++made}`, filename, purpose, createdAt: seconds(), content }
      files.set(file.id, file)
      return file
    },
    get: (id) => files.get(id),
    remove: (id) => files.delete(id),
    list: () => [...files.values()].reverse()
  }
}

export const fileBody = ({ content, createdAt, filename, id, purpose }: StoredFile) => ({
  id,
  object: "file",
  bytes: Buffer.byteLength(content),
  created_at: createdAt,
  expires_at: null,
  filename,
  purpose,
  status: "processed",
  status_details: null
})
