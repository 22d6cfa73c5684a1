/* SPDX-License-Identifier: MIT
 * Properties of the rectangles: inside of the terminal, not upon each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ui/layout.h"

static void is_inside(const struct area *area, int rows, int columns)
{
	assert_true(area->row >= 0 && area->column >= 0);
	assert_true(area->rows >= 0 && area->columns >= 0);
	assert_true(area->row + area->rows <= rows);
	assert_true(area->column + area->columns <= columns);
}

static bool overlap(const struct area *a, const struct area *b)
{
	return !area_is_empty(a) && !area_is_empty(b) && a->row < b->row + b->rows &&
		b->row < a->row + a->rows && a->column < b->column + b->columns &&
		b->column < a->column + a->columns;
}

static void parts_never_overlap_and_never_leave_the_terminal(void **state)
{
	(void)state;
	for (int rows = 0; rows <= 70; rows++) {
		for (int columns = 0; columns <= 210; columns += 3) {
			struct layout layout;
			layout_screen(rows, columns, &layout);
			assert_int_equal(layout.fits, rows >= 20 && columns >= 60);
			const struct area *parts[] = { &layout.title, &layout.body, &layout.message, &layout.keys };
			for (int i = 0; i < 4; i++) {
				is_inside(parts[i], rows, columns);
				for (int j = 0; j < i; j++)
					assert_false(overlap(parts[i], parts[j]));
			}
		}
	}
}

static void last_column_of_the_last_line_stays_empty(void **state)
{
	(void)state;
	struct layout layout;
	layout_screen(24, 80, &layout);
	assert_int_equal(layout.keys.row, 23);
	assert_int_equal(layout.keys.columns, 79);
	assert_int_equal(layout.message.row, 22);
	assert_int_equal(layout.body.rows, 21);
}

static void home_parts_fill_the_body_side_by_side(void **state)
{
	(void)state;
	for (int columns = 60; columns <= 300; columns++) {
		const struct area body = { .row = 1, .rows = 21, .columns = columns };
		struct layout_home home;
		layout_home(&body, &home);
		assert_true(home.list.columns >= 16 && home.list.columns <= 24);
		assert_int_equal(home.divider.column, home.list.columns);
		assert_int_equal(home.right.column, home.list.columns + 1);
		assert_int_equal(home.right.column + home.right.columns, columns);
	}
}

static void a_part_of_an_area_is_clipped_to_it(void **state)
{
	(void)state;
	const struct area area = { .row = 5, .column = 7, .rows = 10, .columns = 20 };
	struct area part = area_rows(&area, 8, 10);
	assert_int_equal(part.row, 13);
	assert_int_equal(part.rows, 2);
	part = area_rows(&area, 12, -1);
	assert_true(area_is_empty(&part));
	part = area_rows(&area, -3, 4);
	assert_int_equal(part.row, 5);
	part = area_columns(&area, 15, 99);
	assert_int_equal(part.column, 22);
	assert_int_equal(part.columns, 5);
	part = area_columns(&area, 3, -7);
	assert_int_equal(part.columns, 17);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_never_overlap_and_never_leave_the_terminal),
		cmocka_unit_test(last_column_of_the_last_line_stays_empty),
		cmocka_unit_test(home_parts_fill_the_body_side_by_side),
		cmocka_unit_test(a_part_of_an_area_is_clipped_to_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
