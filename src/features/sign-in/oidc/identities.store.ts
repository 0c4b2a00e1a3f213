import Type from 'typebox'
import { listing } from '../../../platform/db/listing.ts'
import { pageSql } from '../../../platform/db/page.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { instantSql, type View, viewSql } from '../../../platform/db/view.ts'
import { Instant, Text, Uuid } from '../../../platform/http/shapes.ts'

/** An identity `i` of a seat at a provider `p`. */
export const identityView: View = {
  id: { sql: 'i.id', schema: Uuid },
  provider_id: { sql: 'i.provider_id', schema: Uuid },
  provider: { sql: 'p.name', schema: Text(200) },
  issuer: { sql: 'p.issuer', schema: Text(2048) },
  subject: {
    sql: 'i.subject',
    schema: Type.String({ maxLength: 255, description: 'What the issuer calls the person.' }),
  },
  created_at: { sql: instantSql('i.created_at'), schema: Instant },
}

/** What a seat can sign in by, in the order in which it was linked. */
export const listIdentities = listing({ seat: pg.uuid }, {}, ({ policies, where, continues }) =>
  pageSql(
    {
      item: viewSql(identityView, policies),
      from: 'seat_identities i join sign_in_providers p on p.account_id = i.account_id and p.id = i.provider_id',
      where: ['i.account_id = $account', 'i.seat_id = $seat::uuid', ...where],
      keys: [
        { sql: 'i.created_at', pg: 'timestamptz' },
        { sql: 'i.id', pg: 'uuid' },
      ],
      descending: false,
    },
    continues,
  ),
)
/** The seat that a provider's subject is linked to, locked until the transaction ends. */
export const holdIdentity = statement(
  { account: pg.integer, provider: pg.uuid, subject: pg.text },
  { seat: pg.uuid, email: pg.text },
  `
  select i.seat_id as seat, s.email
  from seat_identities i
    join seats s on s.account_id = i.account_id and s.id = i.seat_id and s.active
    join sign_in_providers p on p.account_id = i.account_id and p.id = i.provider_id and p.active
  where i.account_id = $account and i.provider_id = $provider and i.subject = $subject
  for key share of i, s, p`,
)
/** Takes the place of the seat's former identity at the provider. */
export const dropIdentity = statement(
  { account: pg.integer, seat: pg.uuid, provider: pg.uuid },
  {},
  'delete from seat_identities where account_id = $account and seat_id = $seat and provider_id = $provider',
)
/** No row where the subject is linked to another seat. */
export const insertIdentity = statement(
  { account: pg.integer, seat: pg.uuid, provider: pg.uuid, subject: pg.text },
  { id: pg.uuid },
  `
  insert into seat_identities (account_id, seat_id, provider_id, subject) values ($account, $seat, $provider, $subject)
  on conflict do nothing returning id`,
)
export const deleteIdentity = statement(
  { account: pg.integer, seat: pg.uuid, id: pg.uuid },
  { provider: pg.uuid, subject: pg.text },
  `
  delete from seat_identities where account_id = $account and seat_id = $seat and id = $id
  returning provider_id as provider, subject`,
)
