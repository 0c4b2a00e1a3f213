import { required } from '../../catalogue/entity.ts'
import { type Field, type Kind, Refusal, refuse } from '../../catalogue/kind.ts'
import { boolean, datetime, oneOf, string, uuid } from '../../catalogue/kinds.ts'
import { asTyped } from './share-token.ts'

/** The audience of a link. Suppliers see only their own segments. */
export const AUDIENCES = ['traveler', 'companion', 'supplier'] as const
const PASSWORD_MINIMUM = 8
const PASSWORD_MAXIMUM = 200

const text = string(PASSWORD_MAXIMUM)
const password: Kind<string> = {
  ...text,
  read(cell, context) {
    const read = text.read(cell, context)
    if (read instanceof Refusal || [...asTyped(read)].length >= PASSWORD_MINIMUM) return read
    return refuse('too_short', `Send at least ${PASSWORD_MINIMUM} characters.`)
  },
  example: 'Güneşli günler',
  bad: [...text.bad, 'a'.repeat(PASSWORD_MINIMUM - 1)],
}

/** The attributes of a link. Suppliers see no travellers, unless the link states it. */
export const shareLinkAttributes = {
  label: string(200),
  audience: required(oneOf(...AUDIENCES)),
  supplier_id: uuid,
  show_prices: { ...boolean, default: false },
  show_travelers: { ...boolean, default: true },
  password,
  expires_at: datetime,
} satisfies Record<string, Field>
