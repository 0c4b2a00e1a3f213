import { pii, required } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { boolean, string } from '../../catalogue/kinds.ts'
import { textList } from '../../catalogue/lists.ts'
import { SIGNED_ID_MAXIMUM } from '../../platform/files/files.ts'

export const NOTE_MAXIMUM = 10_000

/** What a write of a note may hold. */
export const noteAttributes = {
  body: required(pii(string(NOTE_MAXIMUM))),
  pinned: { ...boolean, default: false },
  attachment_ids: { ...pii(textList(string(SIGNED_ID_MAXIMUM))), default: [] as string[] },
} satisfies Record<string, Field>
