import { getSchemaPath } from '@nestjs/swagger';
import {
  UNION_EXTENSION,
  VARIANTS_EXTENSION,
  type Variants,
} from '../src/platform/openapi/object-variants.js';

export interface ObjectSchema {
  description?: string;
  nullable?: boolean;
  properties?: Record<string, object>;
  additionalProperties?: boolean;
  required?: string[];
  oneOf?: { $ref: string }[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  [VARIANTS_EXTENSION]?: Variants;
  /** Paths of schemas. */
  [UNION_EXTENSION]?: string[];
}

/** Replaces the schemas of unions of other schemas. */
export function expandUnions(schemas: Record<string, ObjectSchema>): void {
  for (const [name, { description, [UNION_EXTENSION]: paths }] of Object.entries(schemas)) {
    if (paths) schemas[name] = { description, oneOf: paths.map(($ref) => ({ $ref })) };
  }
}

/**
 * Replaces the schemas of such classes with unions of objects that have all of the fields: many
 * generators ignore fields beside a union.
 */
export function expandVariants(schemas: Record<string, ObjectSchema>): void {
  for (const [name, { [VARIANTS_EXTENSION]: variants, ...whole }] of Object.entries(schemas)) {
    if (!variants) continue;
    const mapping: Record<string, string> = {};
    for (const [value, type] of Object.entries(variants.schemas)) {
      const variant = variantName(name, value);
      schemas[variant] = variantOf(whole, variants, { value, type });
      mapping[value] = getSchemaPath(variant);
    }
    schemas[name] = {
      description: whole.description,
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: variants.discriminator, mapping },
    };
  }
}

/** `CreateExpenseTemplateDto` and `bi_weekly` give `CreateBiWeeklyExpenseTemplateDto`. */
function variantName(name: string, value: string): string {
  const words = value.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return name.replace(/^(Create|Compute)?/, `$1${words.join('')}`);
}

function variantOf(
  { description, properties = {}, ...whole }: ObjectSchema,
  { discriminator, field }: Variants,
  { value, type }: { value: string; type: string },
): ObjectSchema {
  const { description: meaning, nullable } = properties[field] as ObjectSchema;
  return {
    ...whole,
    description: `${description}, with \`${discriminator}\` \`${value}\``,
    properties: {
      ...properties,
      [discriminator]: {
        type: 'string',
        enum: [value],
        description: `Always \`${value}\``,
        example: value,
      },
      [field]: { allOf: [{ $ref: type }], description: meaning, nullable },
    },
  };
}
