/* SPDX-License-Identifier: MIT
 * Statistics of passes: means, outliers, Welch's test, slope. */
#include "stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

#define OUTLIER_SCORE 3.5      /* Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993 */
#define OUTLIER_SCALE 0.6745   /* 0.75 quantile of the normal distribution: MAD to standard deviation */

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double median_of(const double *values, size_t count)
{
	double *sorted = mem_zalloc(count, sizeof(*sorted));

	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_doubles);
	double median = count % 2 ? sorted[count / 2] :
		(sorted[count / 2 - 1] + sorted[count / 2]) / 2;
	free(sorted);
	return median;
}

static double sum_of_squares(const double *values, size_t count, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum;
}

static double arithmetic_mean(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

static double harmonic_mean(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (values[i] <= 0)
			return 0;
		sum += 1 / values[i];
	}
	return (double)count / sum;
}

void stats_of(const double *values, size_t count, enum bb_mean mean, struct stats *stats)
{
	*stats = (struct stats){ .count = count };
	if (count == 0)
		return;
	double arithmetic = arithmetic_mean(values, count);
	stats->mean = mean == BB_HARMONIC ? harmonic_mean(values, count) : arithmetic;
	stats->min = stats->max = values[0];
	for (size_t i = 1; i < count; i++) {
		stats->min = fmin(stats->min, values[i]);
		stats->max = fmax(stats->max, values[i]);
	}
	stats->median = median_of(values, count);
	if (count > 1)
		stats->stddev = sqrt(sum_of_squares(values, count, arithmetic) / (double)(count - 1));
}

size_t stats_outliers(const double *values, size_t count, bool *outlier)
{
	size_t found = 0;

	memset(outlier, 0, count * sizeof(*outlier));
	if (count < 4)
		return 0;
	double median = median_of(values, count);
	double *distances = mem_zalloc(count, sizeof(*distances));
	for (size_t i = 0; i < count; i++)
		distances[i] = fabs(values[i] - median);
	double mad = median_of(distances, count);
	for (size_t i = 0; i < count && mad > 0; i++) {
		outlier[i] = OUTLIER_SCALE * distances[i] / mad > OUTLIER_SCORE;
		found += outlier[i];
	}
	free(distances);
	return found;
}

/* Continued fraction of the incomplete beta function, by Lentz's method (Abramowitz and Stegun 26.5.8). */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1);

	d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
	double result = d;
	for (int m = 1; m < 300; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		const double terms[] = { even, odd };
		double change = 1;
		for (size_t i = 0; i < ARRAY_LEN(terms); i++) {
			d = 1 + terms[i] * d;
			c = 1 + terms[i] / c;
			d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
			c = fabs(c) < DBL_MIN ? DBL_MIN : c;
			change = c * d;
			result *= change;
		}
		if (fabs(change - 1) < 1e-14)
			break;
	}
	return result;
}

/* Regularised incomplete beta function I_x(a, b). */
static double incomplete_beta(double a, double b, double x)
{
	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* A mean of equal values may differ from them in its last bit: that is no spread. */
static bool all_equal(const double *values, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (values[i] != values[0])
			return false;
	return true;
}

bool stats_welch(const double *a, size_t a_len, const double *b, size_t b_len, double *p)
{
	if (a_len < 2 || b_len < 2)
		return false;
	if (all_equal(a, a_len) && all_equal(b, b_len)) {
		*p = a[0] == b[0] ? 1 : 0;
		return true;
	}
	double mean_a = arithmetic_mean(a, a_len), mean_b = arithmetic_mean(b, b_len);
	double error_a = sum_of_squares(a, a_len, mean_a) / (double)(a_len - 1) / (double)a_len;
	double error_b = sum_of_squares(b, b_len, mean_b) / (double)(b_len - 1) / (double)b_len;
	double error = error_a + error_b;
	double t = (mean_a - mean_b) / sqrt(error);
	/* Degrees of freedom after Welch and Satterthwaite. */
	double freedom = error * error / (error_a * error_a / (double)(a_len - 1) +
		error_b * error_b / (double)(b_len - 1));
	*p = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
	return true;
}

double stats_slope_percent(const double *values, size_t count)
{
	if (count < 3)
		return NAN;
	double mean = arithmetic_mean(values, count), centre = (double)(count - 1) / 2;
	double above = 0, below = 0;
	for (size_t i = 0; i < count; i++) {
		above += ((double)i - centre) * (values[i] - mean);
		below += ((double)i - centre) * ((double)i - centre);
	}
	if (mean == 0)
		return NAN;
	return 100 * above / below * (double)(count - 1) / mean;
}
