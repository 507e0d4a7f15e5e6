import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../platform/dto/example-values.js';
import { TextProperty, UuidProperty } from '../platform/dto/response-fields.js';
import type { User } from './user.entity.js';

/** The properties of a user that other members of the household see. */
export type Person = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>;

@ApiSchema({ description: 'A user, as other members of the household see one' })
export class PersonResponse {
  @UuidProperty(EXAMPLE_ID.user, { description: 'The id of the user' })
  id!: string;

  @ApiProperty({
    type: 'string',
    format: 'email',
    example: 'ana@example.com',
    description: 'In lower case',
  })
  email!: string;

  @TextProperty({ nullable: true, example: 'Ana', description: 'null: not given' })
  first_name!: string | null;

  @TextProperty({ nullable: true, example: 'Ruiz', description: 'null: not given' })
  last_name!: string | null;
}

export function toPersonResponse(person: Person): PersonResponse {
  return {
    id: person.id,
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
  };
}
