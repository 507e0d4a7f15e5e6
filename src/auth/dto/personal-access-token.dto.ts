import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { EnumField, IntegerField, TextField } from '../../platform/dto/fields.js';
import {
  CreatedAtProperty,
  EnumProperty,
  InstantProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { TOKEN_ACCESS, type TokenAccess } from '../personal-access-token.entity.js';

export const EXAMPLE_PERSONAL_ACCESS_TOKEN = 'pat_m7Wc2Xq9Lr4Zt0KvB8nJ5sYdGfHaPeUoRi3A1t6B9xE';

@ApiSchema({ description: 'A new personal access token' })
export class CreatePersonalAccessTokenDto {
  @TextField({
    min: 1,
    max: 100,
    example: 'Spreadsheet',
    description: 'What the token is for',
  })
  name!: string;

  @EnumField(TOKEN_ACCESS, 'TokenAccess', {
    optional: true,
    example: 'read',
    description: '`read` allows what writes nothing. Defaults to `read`',
  })
  access?: TokenAccess | null;

  @IntegerField({
    min: 1,
    max: 365,
    optional: true,
    example: 90,
    description: 'Days until the token expires. Defaults to 90',
  })
  expires_in_days?: number | null;
}

@ApiSchema({ description: 'A personal access token, without the token itself' })
export class PersonalAccessTokenResponse {
  @UuidProperty(EXAMPLE_ID.personalAccessToken, { description: 'The id of the token' })
  id!: string;

  @TextProperty({ example: 'Spreadsheet', description: 'What the token is for' })
  name!: string;

  @EnumProperty(TOKEN_ACCESS, 'TokenAccess', {
    example: 'read',
    description: '`read` allows what writes nothing',
  })
  access!: TokenAccess;

  @CreatedAtProperty()
  created_at!: string;

  @InstantProperty({
    example: '2026-04-18T16:20:31.482Z',
    description: 'Time from which the token is refused',
  })
  expires_at!: string;

  @InstantProperty({
    example: EXAMPLE_INSTANT.updated,
    nullable: true,
    description: 'Time of the last use, at most an hour behind; null: never',
  })
  last_used_at!: string | null;
}

@ApiSchema({ description: 'A new personal access token with the token itself' })
export class CreatedPersonalAccessTokenResponse extends PersonalAccessTokenResponse {
  @TextProperty({
    example: EXAMPLE_PERSONAL_ACCESS_TOKEN,
    description: 'For `Authorization: Bearer ...`; only this response has it',
  })
  token!: string;
}
