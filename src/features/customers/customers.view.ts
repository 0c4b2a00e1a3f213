import Type, { type TSchema } from 'typebox'
import { TAG_LENGTH, TAGS_MAXIMUM } from '../../catalogue/tags.ts'
import { EU_COUNTRIES } from '../../catalogue/tax-numbers.ts'
import { quoted } from '../../platform/db/quoted.ts'
import { instantSql, type View, type ViewField } from '../../platform/db/view.ts'
import { Day, enumOf, Instant, maybe, Text, Texts, Uuid } from '../../platform/http/shapes.ts'
import { LIFECYCLE_STAGES, PREFERRED_CHANNELS, TYPES, VIP_TIERS } from './customer-attributes.ts'
import { personal, restrictedSql } from './reads/restricted.ts'

/** The customer's identity. */
const identity = (name: string, schema: TSchema): ViewField => personal(restrictedSql('t'), `t.${name}`, maybe(schema))

/** A customer `t` in a list. */
export const customerItem: View = {
  id: { sql: 't.id', schema: Uuid },
  name: identity('name', Text(200)),
  customer_type: { sql: 't.customer_type', schema: enumOf(TYPES) },
  email: identity('email', Text(254)),
  phone: identity('phone', Text(40)),
  lifecycle_stage: { sql: 't.lifecycle_stage', schema: maybe(enumOf(LIFECYCLE_STAGES)) },
  vip_tier: { sql: 't.vip_tier', schema: maybe(enumOf(VIP_TIERS)) },
  active: { sql: 't.active', schema: Type.Boolean() },
  tags: { sql: 't.tags', schema: Texts(TAGS_MAXIMUM, TAG_LENGTH) },
  company_id: { sql: 't.company_id', schema: Uuid },
}

const TAX_SCHEME = `(select case when c.tax_country = 'TR' then case t.customer_type when 'corporate' then 'vkn' else 'tckn' end
  when c.tax_country in (${quoted(EU_COUNTRIES)}) then 'eu_vat'
  end from companies c where c.account_id = t.account_id and c.id = t.company_id)`

/** The whole customer. */
export const customerDetail: View = {
  ...customerItem,
  first_name: identity('first_name', Text(100)),
  last_name: identity('last_name', Text(100)),
  legal_name: identity('legal_name', Text(200)),
  tax_number: identity('tax_number', Text(40)),
  tax_office: identity('tax_office', Text(100)),
  tax_office_code: identity('tax_office_code', Text(20)),
  tax_scheme: personal(restrictedSql('t'), TAX_SCHEME, maybe(Text(20))),
  address: identity('address', Type.Record(Type.String(), Type.Unknown())),
  birthday: identity('birthday', Day),
  anniversary: identity('anniversary', Day),
  preferred_channel: { sql: 't.preferred_channel', schema: maybe(enumOf(PREFERRED_CHANNELS)) },
  opted_in_marketing: { sql: 't.opted_in_marketing', schema: Type.Boolean() },
  opted_in_at: { sql: instantSql('t.opted_in_at'), schema: maybe(Instant) },
  code: { sql: 't.code', schema: maybe(Text(60)) },
  locale: { sql: 't.locale', schema: maybe(Text(20)) },
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
  updated_at: { sql: instantSql('t.updated_at'), schema: Instant },
}
