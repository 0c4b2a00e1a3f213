import Type, { type TSchema } from 'typebox'
import { restrictedSql } from '../../imports/records/restricted.ts'
import type { Policies } from '../../platform/access/policies.ts'
import { instantSql, type Seen, type View } from '../../platform/db/view.ts'

const maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Text = (maxLength: number) => maybe(Type.String({ maxLength }))
const Uuid = Type.String({ format: 'uuid', maxLength: 36 })
const Instant = Type.String({ format: 'date-time', maxLength: 40 })
const Day = maybe(Type.String({ format: 'date', maxLength: 10 }))
const oneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] })

export const TYPES = ['individual', 'corporate'] as const
export const LIFECYCLE_STAGES = ['prospect', 'active', 'repeat', 'dormant', 'lost'] as const
export const VIP_TIERS = ['silver', 'gold', 'platinum', 'diamond'] as const
export const CHANNELS = ['email', 'phone', 'sms', 'whatsapp'] as const

/** Who the customer is: nothing of it for roles that see no personal data, or where a restricted tag hides it. */
const identity = (column: string, schema: TSchema): Seen => ({
  sql: (policies: Policies) =>
    policies.has('view_restricted_customers') ? column : `case when not (${restrictedSql('t')}) then ${column} end`,
  schema,
  needs: ['view_personal_data'],
})

/** A customer `t` in a list. */
export const customerItem: View = {
  id: { sql: 't.id', schema: Uuid },
  name: identity('t.name', Text(200)),
  customer_type: { sql: 't.customer_type', schema: oneOf(TYPES) },
  email: identity('t.email', Text(254)),
  phone: identity('t.phone', Text(40)),
  lifecycle_stage: { sql: 't.lifecycle_stage', schema: maybe(oneOf(LIFECYCLE_STAGES)) },
  vip_tier: { sql: 't.vip_tier', schema: maybe(oneOf(VIP_TIERS)) },
  active: { sql: 't.active', schema: Type.Boolean() },
  tags: { sql: 't.tags', schema: Type.Array(Type.String({ maxLength: 60 }), { maxItems: 100 }) },
  company_id: { sql: 't.company_id', schema: Uuid },
}

const TAX_SCHEME = `(select case when c.tax_country = 'TR' then case t.customer_type when 'corporate' then 'vkn' else 'tckn' end
  when c.tax_country in ('AT','BE','BG','CY','CZ','DE','DK','EE','ES','FI','FR','GR','HR','HU','IE','IT','LT','LU','LV','MT','NL','PL','PT','RO','SE','SI','SK') then 'eu_vat'
  end from companies c where c.account_id = t.account_id and c.id = t.company_id)`

/** The whole customer. */
export const customerDetail: View = {
  ...customerItem,
  first_name: identity('t.first_name', Text(100)),
  last_name: identity('t.last_name', Text(100)),
  legal_name: identity('t.legal_name', Text(200)),
  tax_number: identity('t.tax_number', Text(40)),
  tax_office: identity('t.tax_office', Text(100)),
  tax_office_code: identity('t.tax_office_code', Text(20)),
  tax_scheme: { sql: TAX_SCHEME, schema: Text(20) },
  address: identity('t.address', maybe(Type.Record(Type.String(), Type.Unknown()))),
  birthday: identity('t.birthday', Day),
  anniversary: identity('t.anniversary', Day),
  preferred_channel: { sql: 't.preferred_channel', schema: maybe(oneOf(CHANNELS)) },
  opted_in_marketing: { sql: 't.opted_in_marketing', schema: Type.Boolean() },
  opted_in_at: { sql: instantSql('t.opted_in_at'), schema: maybe(Instant) },
  code: { sql: 't.code', schema: Text(60) },
  locale: { sql: 't.locale', schema: Text(20) },
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
  updated_at: { sql: instantSql('t.updated_at'), schema: Instant },
}
